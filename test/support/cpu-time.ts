/**
 * How long a processor works on something in this process, in milliseconds: on a busy machine that is less than goes by meanwhile.
 *
 * @param work synchronous
 */
export function cpuMilliseconds(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
