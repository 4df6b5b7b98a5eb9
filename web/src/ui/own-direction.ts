/** For `attributes` of a text input: its text has a direction of its own. Mantine puts `dir` itself on the frame. */
export const ownDirection = { input: { dir: 'auto' } } as const
