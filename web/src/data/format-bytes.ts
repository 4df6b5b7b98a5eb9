import { language } from '../messages/language.ts'

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** A number of bytes as people read it, in the language of the interface: «12,3 МБ». */
export const formatBytes = (bytes: number): string => {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(1000)))
  return new Intl.NumberFormat(language(), {
    style: 'unit',
    unit: UNITS[power] ?? 'byte',
    maximumFractionDigits: power > 1 ? 1 : 0,
  }).format(bytes / 1000 ** power)
}
