/** The long run of kill.pg.test.ts. Sizes: HANGO_KILL_CYCLES (100), HANGO_PGLITE_CYCLES (50), HANGO_SEED. */
import { killPglite, killServer, killWriters } from "../kill-cycles.ts";
import { report, seed, sizeFrom } from "./settings.ts";

const cycles = sizeFrom("HANGO_KILL_CYCLES", 100);
report("kill -9 of the writing process", { ...(await killWriters({ cycles, seed })) });
report("kill -9 of Postgres", { ...(await killServer({ cycles, seed })) });
report("kill -9 of a process with PGlite", { ...(await killPglite({ cycles: sizeFrom("HANGO_PGLITE_CYCLES", Math.min(cycles, 50)), seed })) });
