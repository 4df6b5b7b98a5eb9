/** For `attributes` of a text input: what is typed runs its own way. Mantine keeps `dir` itself for the frame. */
export const ownDirection = { input: { dir: 'auto' } } as const
