import { icon } from './icons.tsx'

/** Drawings of the editor's buttons. */
export const glyphs = {
  bold: icon(<path d="M7 5h6a3.5 3.5 0 0 1 0 7H7zM7 12h7a3.5 3.5 0 0 1 0 7H7z" strokeWidth={2.5} />),
  italic: icon(<path d="M11 5h6M7 19h6M14 5l-4 14" />),
  strike: icon(
    <path d="M4 12h16M16 6.5C15 5.5 13.7 5 12 5 9.5 5 7.5 6.2 7.5 8.3c0 1.6 1.2 2.7 3 3.7M8 17c1 1.200 2.400 2 4.200 2 2.500 0 4.300-1.200 4.300-3.400 0-.600-.200-1.200-.500-1.700" />,
  ),
  heading: icon(<path d="M6 5v14M18 5v14M6 12h12" strokeWidth={2.5} />),
  subheading: icon(<path d="M8 8v10M16 8v10M8 13h8" />),
  minorHeading: icon(<path d="M9 10v8M15 10v8M9 14h6" />),
  bulletList: icon(<path d="M9 6h11M9 12h11M9 18h11M4.500 6v.01M4.500 12v.01M4.500 18v.01" />),
  orderedList: icon(
    <path d="M11 6h9M11 12h9M11 18h9M4 5.500 5.500 4.500V9.500M3.700 14.500c.600-1 2.800-1 2.800.500 0 1.500-2.800 2.500-2.800 4h3" />,
  ),
  taskList: icon(<path d="M3.500 6 5 7.500 8 4.500M3.500 16 5 17.500 8 14.500M12 6h8M12 16h8" />),
  blockquote: icon(<path d="M9.500 7C6.500 8 5 10 5 13v4h5v-5H5M19 7c-3 1-4.500 3-4.500 6v4h5v-5h-5" />),
  code: icon(<path d="m8 7-5 5 5 5M16 7l5 5-5 5" />),
  codeBlock: icon(<path d="M4 4h16v16H4zM10.500 9.500 8 12l2.500 2.500M13.500 9.500 16 12l-2.500 2.500" />),
  table: icon(<path d="M4 5h16v14H4zM4 10h16M4 14.500h16M10 5v14" />),
}

export const PictureIcon = icon(<path d="M4 5h16v14H4zM4 16l5-5 4 4 2.500-2.500L20 17M15.500 8.500v.01" />)

/** Drawings of the buttons that are disabled where they would change nothing. */
export const stepGlyphs = {
  outdent: icon(<path d="M4 6h16M11 12h9M4 18h16M7 9.500 4.500 12 7 14.500" />),
  indent: icon(<path d="M4 6h16M11 12h9M4 18h16M4.500 9.500 7 12l-2.500 2.500" />),
  undo: icon(<path d="M9 14 4 9l5-5M4 9h10a5.500 5.500 0 0 1 0 11h-3" />),
  redo: icon(<path d="m15 14 5-5-5-5M20 9H10a5.500 5.500 0 0 0 0 11h3" />),
}

/** Drawings of the buttons for tables. */
export const tableGlyphs = {
  rowAfter: icon(<path d="M4 4h16v6H4zM12 14v6M9 17h6" />),
  columnAfter: icon(<path d="M4 4h6v16H4zM14 12h6M17 9v6" />),
  rowUp: icon(<path d="M4 14h16v6H4zM12 11V4M9 7l3-3 3 3" />),
  rowDown: icon(<path d="M4 4h16v6H4zM12 13v7M9 17l3 3 3-3" />),
  columnLeft: icon(<path d="M14 4h6v16h-6zM11 12H4M7 9l-3 3 3 3" />),
  columnRight: icon(<path d="M4 4h6v16H4zM13 12h7M17 9l3 3-3 3" />),
  headerRow: icon(<path d="M4 5h16v14H4zM4 10h16M6 7.500h12" />),
  deleteRow: icon(<path d="M4 4h16v6H4zM9 14.500l6 5M15 14.500l-6 5" />),
  deleteColumn: icon(<path d="M4 4h6v16H4zM14 9.500l5 5M19 9.500l-5 5" />),
  deleteTable: icon(<path d="M4 5h16v14H4zM9 9.500l6 5M15 9.500l-6 5" />),
}
