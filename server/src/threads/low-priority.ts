import { constants, getPriority, platform, setPriority } from 'node:os'

const { PRIORITY_BELOW_NORMAL } = constants.priority

/**
 * Lowers the priority of the thread that calls it, so that requests come first. Only Linux has priorities of threads; elsewhere it
 * would apply to the whole process. A server that was started with a lower one may not raise it.
 */
export function lowerPriority(): void {
  if (platform() === 'linux' && getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL)
}
