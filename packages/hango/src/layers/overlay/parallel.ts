/** Questions to the base in flight at once: enough to hide a network's delay, few enough to leave connections for others. */
const AT_ONCE = 8;

/** Maps by calls that run a few at a time. Errors: the first one; nothing new is started after it. */
export async function mapParallel<T, R>(items: readonly T[], run: (item: T, index: number) => Promise<R>): Promise<readonly R[]> {
  const results = new Map<number, R>();
  let next = 0;
  let isOver = false;

  async function work(): Promise<void> {
    while (!isOver && next < items.length) {
      const index = next++;
      try {
        results.set(index, await run(items[index] as T, index));
      } catch (error) {
        isOver = true;
        throw error;
      }
    }
  }

  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, work));
  return items.map((_, index) => results.get(index) as R);
}
