/** hango/http: the files API as a Fetch handler. */
export type {
  AgentDirectory,
  AgentRow,
  AgentSessionRow,
  AuditLog,
  AuditQuery,
  AuditRow,
  Authenticate,
  DirectoryPage,
  EventQuery,
  Principal,
  Role,
  SignedIn,
  SignIn,
} from "../tenancy.ts";
export { createFilesApp, type FilesApp, type FilesAppOptions, type RowRates } from "./create-files-app.ts";
export type { AgentUsage, StreamLimits } from "./door.ts";
export type { SendLimits } from "./sending.ts";
export type { TargetSource } from "./target.ts";
