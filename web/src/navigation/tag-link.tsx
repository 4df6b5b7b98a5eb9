import { createLink } from '@tanstack/react-router'
import { TagChip } from '../ui/tag-chip.tsx'

/** A tag's chip that leads to its screen. */
export const TagLink = createLink(TagChip)
