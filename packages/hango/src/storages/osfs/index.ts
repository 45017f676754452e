/** The entry hango/osfs: a directory of this machine as a storage. */
export { osStorage, type OsStorageOptions } from "./os-storage.ts";
