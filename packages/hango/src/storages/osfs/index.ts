/** The entry hango/osfs: a directory of this machine as a storage. */
export { isHiddenName } from "./hidden-names.ts";
export { osStorage, type OsStorageOptions } from "./os-storage.ts";
