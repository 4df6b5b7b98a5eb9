/** A module of its own: the names of all files that these need are in it, and not in the one that shows them. */
export const loadWaitingChanges = () => import('./waiting-dialog.tsx')
