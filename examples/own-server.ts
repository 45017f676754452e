import type { Namespace, ScopedStorage } from "hango";
import { createFilesApp, type AgentDirectory, type Authenticate, type FilesApp } from "hango/http";

/** The files API below /api of a server that you have, with your own sign-in and your own table of agents. */
export function filesBelowApi(own: {
  readonly authenticate: Authenticate;
  readonly agents: AgentDirectory;
  readonly storage: ScopedStorage<Namespace>;
}): FilesApp {
  // For each request: app.fetch(request, { rawTarget: request.url as it was sent })
  return createFilesApp({ ...own, basePath: "/api" });
}
