/** How long the event loop was held. A timer that should fire every few milliseconds says so by firing late. */

const TICK_MS = 5;

export interface Stall {
  readonly ms: number;
  /** Of it, what this thread computed; the rest was waiting for the machine. NaN where Node can't tell. */
  readonly cpuMs: number;
}

export interface StallWatch {
  /** The longest stall since the last call of it, the one that may be under way included. */
  readonly take: () => Stall;
  readonly stop: () => void;
}

function threadCpuMs(): number {
  // Node has it from 23.9 on.
  const usage = (process as { readonly threadCpuUsage?: () => { readonly user: number; readonly system: number } }).threadCpuUsage?.();
  return usage === undefined ? Number.NaN : (usage.user + usage.system) / 1_000;
}

export function watchStalls(): StallWatch {
  let last = performance.now();
  let lastCpu = threadCpuMs();
  let longest: Stall = { ms: 0, cpuMs: 0 };
  const look = (): void => {
    const now = performance.now();
    const cpu = threadCpuMs();
    const ms = Math.max(0, now - last - TICK_MS);
    if (ms > longest.ms) longest = { ms, cpuMs: cpu - lastCpu };
    last = now;
    lastCpu = cpu;
  };
  const timer = setInterval(look, TICK_MS);
  return {
    take: () => {
      look();
      const taken = longest;
      longest = { ms: 0, cpuMs: 0 };
      return taken;
    },
    stop: () => clearInterval(timer),
  };
}
