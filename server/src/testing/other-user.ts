import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { dirname } from 'node:path'

/** The unprivileged user `nobody`; only root can run programs as another user. */
export const nobody = (): { uid: number; gid: number } => ({
  uid: Number(execFileSync('id', ['-u', 'nobody'])),
  gid: Number(execFileSync('id', ['-g', 'nobody'])),
})

/** Whether every user may enter the folder and its parents. */
export function isAccessibleToOthers(path: string): boolean {
  const above = dirname(path)
  return (statSync(path).mode & 0o001) !== 0 && (above === path || isAccessibleToOthers(above))
}
