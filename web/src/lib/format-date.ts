const two = (part: number): string => String(part).padStart(2, '0')

/** DD.MM.YYYY in the browser's time zone, from ISO 8601. */
export const formatDate = (iso: string): string => {
  const date = new Date(iso)
  return `${two(date.getDate())}.${two(date.getMonth() + 1)}.${date.getFullYear()}`
}

/** DD.MM.YYYY HH:mm in the browser's time zone, from ISO 8601. */
export const formatDateTime = (iso: string): string => {
  const date = new Date(iso)
  return `${formatDate(iso)} ${two(date.getHours())}:${two(date.getMinutes())}`
}
