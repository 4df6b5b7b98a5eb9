import { readFileSync } from 'node:fs'

/** Of the kernel's clock that counts the time of processes: 100 on every Linux there is (man 7 time). */
const TICKS_A_SECOND = 100

/** Milliseconds of processor that all threads of a process have used; NaN where there is no /proc. */
export function processorTime(pid: number): number {
  const fields = read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? []
  // Fields 14 and 15 of man 5 proc, here without the first two: in user mode, in the kernel.
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_A_SECOND
}

/** Megabytes of memory a process holds (RSS); NaN where there is no /proc. */
export const memory = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1]) / 1024

/** Megabytes of memory that a process has for itself; NaN where there is no /proc. */
export const privateMemory = (pid: number): number => {
  const text = read(`/proc/${pid}/smaps_rollup`)
  const [clean, dirty] = ['Clean', 'Dirty'].map((kind) =>
    Number(new RegExp(`^Private_${kind}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]),
  )
  return ((clean ?? Number.NaN) + (dirty ?? Number.NaN)) / 1024
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
