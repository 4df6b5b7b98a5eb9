import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { dirname } from 'node:path'

/** The user who may do nothing: only root can run programs as somebody else. */
export const nobody = (): { uid: number; gid: number } => ({
  uid: Number(execFileSync('id', ['-u', 'nobody'])),
  gid: Number(execFileSync('id', ['-g', 'nobody'])),
})

/** Whether every user may enter the folder, and those above it. */
export function isOpenToOthers(path: string): boolean {
  const above = dirname(path)
  return (statSync(path).mode & 0o001) !== 0 && (above === path || isOpenToOthers(above))
}
