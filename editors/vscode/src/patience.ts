/** Waiting with a time limit. */

/** The result of `work`; throws `problem` if that takes longer than `patienceMs` milliseconds. */
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
