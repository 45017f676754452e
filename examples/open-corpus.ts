import { embeddedStorage, type Storage } from "hango";
import { files } from "./corpus.ts";

/** Read-only; faq.md is /faq.md for the model. */
export const corpus: Storage = embeddedStorage(files);
