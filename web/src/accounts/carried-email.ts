import { useLocation } from '@tanstack/react-router'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Typed on one of the account screens. In the history entry rather than in the address: logs keep addresses. */
    email?: string
  }
}

/** The email typed on the account screen before this one; '' where there was none. */
export const useCarriedEmail = (): string => useLocation({ select: ({ state }) => state.email ?? '' })
