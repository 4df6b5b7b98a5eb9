import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

/** Shade 7 bears white text, shade 4 stands on dark: both above 4.5 to 1. */
const pine: MantineColorsTuple = [
  '#edf7f4',
  '#d9ece7',
  '#b4d8cf',
  '#8cc4b6',
  '#6ab3a2',
  '#4f9f8e',
  '#388a79',
  '#256f61',
  '#1b5a4f',
  '#11463d',
]

/** Greys tinted with the primary colour. */
const dark: MantineColorsTuple = [
  '#dde2e0',
  '#b3b9b7',
  '#949b99',
  '#6c7371',
  '#454c4a',
  '#363c3a',
  '#2a2f2e',
  '#1f2322',
  '#191c1b',
  '#131615',
]

export const theme = createTheme({
  colors: { pine, dark },
  primaryColor: 'pine',
  primaryShade: { light: 7, dark: 7 },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'system-ui, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
  headings: { fontWeight: '650' },
})

/** Where Mantine's own text colours are too faint to read (WCAG AA asks 4.5 to 1). */
export const contrastVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#59625f',
    '--mantine-color-placeholder': '#68716e',
    '--mantine-color-error': '#b3261e',
    '--mantine-color-red-light-color': '#98201a',
    '--text-warning': '#8a5200',
  },
  dark: {
    '--mantine-color-dimmed': '#a6aeab',
    '--mantine-color-placeholder': '#98a09d',
    '--mantine-color-error': '#ff8f85',
    '--mantine-color-red-light-color': '#ffaca5',
    '--text-warning': '#f0b45c',
  },
})
