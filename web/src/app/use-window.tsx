import { type ComponentType, useState } from 'react'
import { loadPart, PARTS } from './parts.ts'

type WindowName = 'palette' | 'help' | 'drawer'
type Window = ComponentType<{ onClose: () => void }>

/** The windows that every screen can open, one at a time. */
export const useWindow = () => {
  const [current, setCurrent] = useState<{ name: WindowName; Shown: Window }>()
  const open = async (name: WindowName): Promise<void> => {
    const Shown = await loadPart<Window>(PARTS[name])
    if (Shown) setCurrent({ name, Shown })
  }
  return {
    open,
    /** Which one is open. */
    name: current?.name,
    /** The window that is open, for its place on the page. */
    shown: current && <current.Shown onClose={() => setCurrent(undefined)} />,
  }
}
