import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useFocusBack } from '../lib/use-focus-back.ts'
import classes from './dialog.module.css'

/** Props of every overlay: it stays mounted and opens and closes. */
export interface OverlayProps {
  opened: boolean
  onClose: () => void
}

interface DialogProps extends OverlayProps {
  title: string
  /** At most so wide, in pixels. */
  width: number
  /** Whether a press beside it closes it; unless `false` it does. */
  closeOnClickOutside?: boolean
  children: ReactNode
}

/**
 * A window over the page. The focus moves to the element with `data-autofocus` and, once closed, back.
 * Put together by hand, because Mantine's header would be a second banner of the document.
 */
export function Dialog({ opened, title, width, closeOnClickOutside = true, onClose, children }: DialogProps) {
  useFocusBack(opened)
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      closeOnClickOutside={closeOnClickOutside}
      size={width}
      centered
      returnFocus={false}
      // Others leave a `transform` on the window, which would clip lists that reach over its edge.
      transitionProps={{ transition: 'fade' }}
    >
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body p="lg">
          <Modal.Title className={classes.title}>{title}</Modal.Title>
          {children}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
