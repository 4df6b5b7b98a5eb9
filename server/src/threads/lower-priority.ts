import { constants, platform, setPriority } from 'node:os'

/**
 * Lowers the priority of the calling thread, so that the event loop gets a processor first when all are busy. Only Linux has
 * priorities of threads; elsewhere it would apply to the whole process, and nothing is done.
 */
export function lowerPriority(): void {
  if (platform() === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL)
}
