import { Portal } from '@mantine/core'
import classes from './drop-cover.module.css'

/** Covers the page while something is held over it that can be dropped anywhere. */
export const DropCover = ({ text }: { text: string }) => (
  <Portal>
    <div className={classes.area} aria-hidden>
      <div className={classes.text}>{text}</div>
    </div>
  </Portal>
)
