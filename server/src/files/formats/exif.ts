/** The tag of the orientation, and the type of a 16-bit number (Exif 3.0, 4.6.5). */
const ORIENTATION = 0x0112
const SHORT = 3

/** Whether a picture of an orientation, 1 to 8, lies on its side: browsers show it as wide as it is stored high. */
export const isSideways = (orientation: number): boolean => orientation >= 5

/** The orientation in the data of Exif; 1 where there is none. */
export function orientationOf(tiff: Buffer): number {
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const long = (at: number) => (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at))
  if (tiff.length < 8 || short(2) !== 42) return 1
  const directory = long(4)
  if (directory + 2 > tiff.length) return 1
  for (let entry = 0; entry < short(directory); entry += 1) {
    const at = directory + 2 + 12 * entry
    if (at + 12 > tiff.length) return 1
    if (short(at) !== ORIENTATION || short(at + 2) !== SHORT) continue
    const orientation = short(at + 8)
    return orientation >= 1 && orientation <= 8 ? orientation : 1
  }
  return 1
}

/** Data of Exif that says nothing but the orientation. */
export function dataOf(orientation: number): Buffer {
  const tiff = Buffer.alloc(26)
  tiff.write('MM\0*', 'latin1')
  tiff.writeUInt32BE(8, 4)
  tiff.writeUInt16BE(1, 8)
  tiff.writeUInt16BE(ORIENTATION, 10)
  tiff.writeUInt16BE(SHORT, 12)
  tiff.writeUInt32BE(1, 14)
  tiff.writeUInt16BE(orientation, 18)
  return tiff
}
