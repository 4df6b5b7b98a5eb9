import { constants, platform, setPriority } from 'node:os'

/**
 * Lowers the priority of this thread, so that the event loop of the main one does not wait for a processor behind its heavy work.
 * Only Linux has priorities of threads; elsewhere it would apply to the whole process.
 */
export function lowerPriority(): void {
  if (platform() === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL)
}
