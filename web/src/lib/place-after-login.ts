/** The address to open after signing in: the requested one if it is of this site. */
export const placeAfterLogin = (wanted = '/home'): string => {
  const { origin } = window.location
  if (!URL.canParse(wanted, origin)) return '/home'
  const place = new URL(wanted, origin)
  const ours = place.origin === origin && !place.pathname.startsWith('/auth')
  return ours ? place.href.slice(origin.length) : '/home'
}
