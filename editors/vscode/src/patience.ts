/** Waiting that ends: what does not come within its time is told, and nothing spins for ever. */

/** What `work` gives, or `problem` thrown where that takes longer than `patienceMs`. */
export async function within<T>(
  patienceMs: number,
  work: PromiseLike<T>,
  problem: string,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(problem));
    }, patienceMs);
  });
  return Promise.race([work, late]).finally(() => {
    clearTimeout(timer);
  });
}
