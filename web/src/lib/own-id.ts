/** Whether an id is one of this browser's (UUIDv4): the server gives others (UUIDv7). */
export const isOwnId = (id: string): boolean => id[14] === '4'
