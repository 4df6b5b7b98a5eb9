import { rem } from '@mantine/core'
import type { ReactNode, SVGProps } from 'react'

/** Icons are decoration: the control around one carries the name. `size` is in pixels of text at its usual size: icons grow with it. */
export type IconProps = Omit<SVGProps<SVGSVGElement>, 'children'> & { size?: number }

/** An icon of a drawing in a square of 24. */
export const icon =
  (drawing: ReactNode) =>
  ({ size = 20, ...rest }: IconProps) => (
    <svg
      aria-hidden="true"
      focusable="false"
      style={{ width: rem(size), height: rem(size) }}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      {...rest}
    >
      {drawing}
    </svg>
  )

export const MenuIcon = icon(<path d="M4 6h16M4 12h16M4 18h16" />)
export const MoreIcon = icon(<path strokeWidth={3} d="M12 5v.01M12 12v.01M12 19v.01" />)
export const PlusIcon = icon(<path d="M12 5v14M5 12h14" />)
export const CloseIcon = icon(<path d="M6 6l12 12M18 6 6 18" />)
export const InfoIcon = icon(
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="M12 11v5M12 8v.01" />
  </>,
)
export const SearchIcon = icon(
  <>
    <circle cx="10.5" cy="10.5" r="6.5" />
    <path d="m20 20-4.8-4.8" />
  </>,
)
export const EditIcon = icon(<path d="M4 20h4L19 9a2.8 2.8 0 0 0-4-4L4 16v4ZM13.5 6.5l4 4" />)
export const TrashIcon = icon(
  <path d="M4 7h16M10 11v6M14 11v6M6 7l1 12a2 2 0 0 0 2 2h6a2 2 0 0 0 2-2l1-12M9 7V4h6v3" />,
)
export const HistoryIcon = icon(<path d="M4 5v5h5M4.6 10a8 8 0 1 1-.5 4M12 8v4l3 2" />)
export const RestoreIcon = icon(<path d="M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3" />)
export const SortIcon = icon(<path d="M4 7h16M4 12h10M4 17h5" />)
export const PinIcon = icon(<path d="M9 4h6M10 4v6l-3 4h10l-3-4V4M12 14v6" />)
export const ExternalLinkIcon = icon(
  <path d="M18 14v4a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2h4M14 4h6v6M11 13l9-9" />,
)
export const CopyIcon = icon(<path d="M9 9h10v11H9zM15 9V4H5v11h4" />)
export const DownloadIcon = icon(<path d="M12 4v11M7 11l5 5 5-5M5 20h14" />)
export const UploadIcon = icon(<path d="M12 15V4M7 9l5-5 5 5M5 20h14" />)
export const NoteIcon = icon(
  <>
    <path d="M14 3H7a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2V8l-5-5Z" />
    <path d="M14 3v5h5M9 13h6M9 17h4" />
  </>,
)
export const LinkIcon = icon(
  <path d="M10 14a4.5 4.5 0 0 0 6.4 0l3.2-3.2a4.5 4.5 0 0 0-6.4-6.4L12 5.6M14 10a4.5 4.5 0 0 0-6.4 0l-3.2 3.2a4.5 4.5 0 0 0 6.4 6.4l1.2-1.2" />,
)
export const TagIcon = icon(
  <>
    <path d="M4 4h7.2a2 2 0 0 1 1.4.6l7 7a2 2 0 0 1 0 2.8l-5.2 5.2a2 2 0 0 1-2.8 0l-7-7a2 2 0 0 1-.6-1.4V4Z" />
    <path d="M8.5 8.5v.01" />
  </>,
)
export const HomeIcon = icon(<path d="M4 11 12 4l8 7v8a1 1 0 0 1-1 1h-4v-6H9v6H5a1 1 0 0 1-1-1v-8Z" />)
export const LogoutIcon = icon(
  <path d="M14 8V6a2 2 0 0 0-2-2H6a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h6a2 2 0 0 0 2-2v-2M10 12h11M18 9l3 3-3 3" />,
)
export const UserIcon = icon(
  <>
    <circle cx="12" cy="8" r="4" />
    <path d="M5 20a7 7 0 0 1 14 0" />
  </>,
)
export const PrintIcon = icon(
  <path d="M7 9V4h10v5M7 17H4v-6a2 2 0 0 1 2-2h12a2 2 0 0 1 2 2v6h-3M7 14h10v6H7z" />,
)
