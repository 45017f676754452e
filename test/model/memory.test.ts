import { bindModel } from "./bind.ts";
import { memorySubject, memoryWithoutAccelerators } from "./subjects.ts";

bindModel("memory", async () => memorySubject(), 1_000);
bindModel("memory without accelerators", async () => memoryWithoutAccelerators(), 500);
