/** Both texts, or the one that holds the other. */
export function joinBodies(body: string, more: string): string {
  if (more === '' || body.includes(more)) return body
  return more.includes(body) ? more : `${body}${more}`
}
