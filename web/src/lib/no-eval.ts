import * as z from 'zod/mini'

// The page's security policy forbids making code from strings: zod must not even try. Imported before any schema.
z.config({ jitless: true })
