import {
  ActionIcon,
  type ActionIconProps,
  Anchor,
  type AnchorProps,
  Button,
  type ButtonProps,
} from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

/* The interface's link-like parts with the router's typed addresses. */

type Link<Props> = Props & Omit<ComponentProps<'a'>, keyof Props>

export const AnchorLink = createLink((props: Link<AnchorProps>) => <Anchor {...props} />)
export const ButtonLink = createLink((props: Link<ButtonProps>) => <Button component="a" {...props} />)
export const IconLink = createLink((props: Link<ActionIconProps>) => <ActionIcon component="a" {...props} />)
