import { useState } from 'react'
import { ActionsButton } from './actions-button.tsx'
import { ActionsMenu, useLoadOverlay } from './use-overlay.tsx'

/** The menu of actions; before its first use only its button, the rest loads then. */
export function Actions() {
  const [loaded, setLoaded] = useState(false)
  const load = useLoadOverlay()
  if (loaded) return <ActionsMenu />
  const open = async () => setLoaded(await load(ActionsMenu))
  return <ActionsButton aria-haspopup="menu" aria-expanded={false} onClick={() => void open()} />
}
