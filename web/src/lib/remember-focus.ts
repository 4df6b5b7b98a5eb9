/**
 * Remembers the focused element before an operation: a button that is disabled meanwhile loses the focus.
 * The function it returns gives it to `rather`, else back, unless the user has gone on to something else.
 */
export const rememberFocus = () => {
  const before = document.activeElement
  return (rather: HTMLElement | null): void => {
    const now = document.activeElement
    if (now !== before && now !== document.body) return
    const target = rather ?? before
    if (target instanceof HTMLElement) target.focus()
  }
}
