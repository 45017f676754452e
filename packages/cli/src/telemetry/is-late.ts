/** Waits for work, but not for ever. True when the time was over first; the work itself goes on. */
export async function isLate(work: Promise<unknown>, waitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<true>((resolve) => (timer = setTimeout(() => resolve(true), waitMs)));
  try {
    return await Promise.race([work.then(() => false as const), late]);
  } finally {
    clearTimeout(timer);
  }
}
