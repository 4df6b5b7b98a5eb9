/**
 * What the server itself serves: the API and the programs that speak to it, files, checks of health. Everything else is a
 * screen, as in server/src/http/static.ts.
 */
const OF_THE_SERVER = /^\/(?:api|assets|linkding|healthz|readyz|share)(?:\/|$)|^\/\.|\.\w+$/

/** Whether the document at the path is the one of the build, whose router knows the screens. */
export const isScreen = (path: string): boolean => !OF_THE_SERVER.test(path)

/** Whether the name of the file tells its content. */
export const isHashed = (path: string): boolean => path.startsWith('/assets/')
