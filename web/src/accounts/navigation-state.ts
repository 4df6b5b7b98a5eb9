import { useLocation } from '@tanstack/react-router'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Typed on one of the account screens. In the history entry rather than in the address: logs keep addresses. */
    email?: string
    /** The address to open once signed in, on its way over the other account screens. */
    redirect?: string | undefined
  }
}

/** What the previous account screen passed on: the email typed there, or '', and where to go. */
export const useNavigationState = (): { email: string; redirect: string | undefined } => {
  const { email = '', redirect } = useLocation({ select: ({ state }) => state })
  return { email, redirect }
}
