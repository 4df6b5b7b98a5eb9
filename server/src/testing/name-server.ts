import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** DNS records by name: an alias or addresses. */
export type Zone = Readonly<Record<string, { cname: string } | { a?: string[]; aaaa?: string[] }>>

const TYPES = { a: 1, cname: 5, aaaa: 28 }

/** A real DNS server on this machine. Names outside `zone` do not exist; without a zone it never responds. */
export async function startNameServer(zone?: Zone) {
  const socket = createSocket('udp4')
  let queries = 0
  socket.on('message', (query, { port, address }) => {
    queries += 1
    if (zone) socket.send(responseTo(query, zone), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    queries: () => queries,
    close: () => new Promise<void>((resolve) => socket.close(resolve)),
  }
}

/** Response of a recursive resolver (RFC 1035, section 4). */
function responseTo(query: Buffer, zone: Zone): Buffer {
  const { name, end } = readName(query)
  const type = query.readUInt16BE(end)
  const records = recordsOf(name, type, zone)
  const head = Buffer.alloc(12)
  query.copy(head, 0, 0, 2)
  head.writeUInt16BE(name in zone ? 0x8180 : 0x8183, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(records.length, 6)
  return Buffer.concat([head, query.subarray(12, end + 4), ...records])
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('ascii', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 }
}

function recordsOf(name: string, type: number, zone: Zone): Buffer[] {
  const found = zone[name]
  if (!found) return []
  if ('cname' in found) {
    return [record(name, TYPES.cname, writeName(found.cname)), ...recordsOf(found.cname, type, zone)]
  }
  const addresses = { [TYPES.a]: found.a, [TYPES.aaaa]: found.aaaa }[type] ?? []
  return addresses.map((address) => record(name, type, bytesOf(address)))
}

function record(name: string, type: number, data: Buffer): Buffer {
  const fields = Buffer.alloc(10)
  fields.writeUInt16BE(type, 0)
  fields.writeUInt16BE(1, 2)
  fields.writeUInt16BE(data.length, 8)
  return Buffer.concat([writeName(name), fields, data])
}

const writeName = (name: string): Buffer =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.of(0),
  ])

/** Bytes of an IPv4 address, or of an IPv6 address with all eight groups. */
const bytesOf = (address: string): Buffer =>
  address.includes(':')
    ? Buffer.from(address.split(':').flatMap((group) => [...Buffer.from(group.padStart(4, '0'), 'hex')]))
    : Buffer.from(address.split('.').map(Number))
