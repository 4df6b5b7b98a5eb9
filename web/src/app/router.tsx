import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  type RegisteredRouter,
  redirect,
} from '@tanstack/react-router'
import { isSignedIn } from '../api/session.ts'
import { placeAfterLogin } from '../lib/place-after-login.ts'
import type { MessageId } from '../messages/messages.ts'
import { CrashPage } from './crash-page.tsx'
import { loadProfile, requireSession } from './guard.ts'
import { lazyPage } from './lazy-page.ts'
import {
  parseSearch,
  readListSearch,
  readLoginSearch,
  readPasswordConfirmSearch,
  readSearch,
  stringifySearch,
} from './search-params.ts'

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()()

/** Everything that needs sign-in: the main layout around it. */
const main = createRoute({
  getParentRoute: () => root,
  id: 'main',
  component: lazyPage(() => import('./main-layout.tsx'), 'MainLayout'),
  beforeLoad: ({ location, preload, context }) => {
    requireSession(location)
    if (!preload) void loadProfile(context.queryClient)
  },
})

const index = createRoute({
  getParentRoute: () => main,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/home', replace: true })
  },
})
const home = createRoute({
  getParentRoute: () => main,
  path: '/home',
  validateSearch: readSearch,
  staticData: { title: 'title.home' },
  component: lazyPage(() => import('../home/home-page.tsx'), 'HomePage'),
})
const profile = createRoute({
  getParentRoute: () => main,
  path: '/profile',
  staticData: { title: 'title.profile' },
  component: lazyPage(() => import('../accounts/profile-page.tsx'), 'ProfilePage'),
})

const notes = createRoute({
  getParentRoute: () => main,
  path: '/notes',
  validateSearch: readListSearch,
  staticData: { title: 'title.notes' },
  component: lazyPage(() => import('../items/list-page.tsx'), 'NotesPage'),
})
const noteAdd = createRoute({
  getParentRoute: () => main,
  path: '/notes/add',
  staticData: { title: 'title.noteAdd' },
  component: lazyPage(() => import('../items/add-page.tsx'), 'AddNotePage'),
})
const note = createRoute({
  getParentRoute: () => main,
  path: '/notes/$id',
  staticData: { title: 'title.note' },
  component: lazyPage(() => import('../items/detail-page.tsx'), 'NotePage'),
})
const noteEdit = createRoute({
  getParentRoute: () => main,
  path: '/notes/$id/edit',
  staticData: { title: 'title.noteEdit' },
  component: lazyPage(() => import('../items/edit-page.tsx'), 'EditNotePage'),
})

const links = createRoute({
  getParentRoute: () => main,
  path: '/url-links',
  validateSearch: readListSearch,
  staticData: { title: 'title.links' },
  component: lazyPage(() => import('../items/list-page.tsx'), 'LinksPage'),
})
const linkAdd = createRoute({
  getParentRoute: () => main,
  path: '/urllinks/add',
  staticData: { title: 'title.linkAdd' },
  component: lazyPage(() => import('../items/add-page.tsx'), 'AddLinkPage'),
})
const link = createRoute({
  getParentRoute: () => main,
  path: '/urllinks/$id',
  staticData: { title: 'title.link' },
  component: lazyPage(() => import('../items/detail-page.tsx'), 'LinkPage'),
})
const linkEdit = createRoute({
  getParentRoute: () => main,
  path: '/urllinks/$id/edit',
  staticData: { title: 'title.linkEdit' },
  component: lazyPage(() => import('../items/edit-page.tsx'), 'EditLinkPage'),
})

const tags = createRoute({
  getParentRoute: () => main,
  path: '/tags',
  validateSearch: readSearch,
  staticData: { title: 'title.tags' },
  component: lazyPage(() => import('../tags/tag-list-page.tsx'), 'TagListPage'),
})
const tag = createRoute({
  getParentRoute: () => main,
  path: '/tags/$id',
  staticData: { title: 'title.tag' },
  component: lazyPage(() => import('../tags/tag-page.tsx'), 'TagPage'),
})
const tagEdit = createRoute({
  getParentRoute: () => main,
  path: '/tags/$id/edit',
  staticData: { title: 'title.tagEdit' },
  component: lazyPage(() => import('../tags/edit-tag-page.tsx'), 'EditTagPage'),
})

/** Addresses that lack an id: their screens say so. */
const noteEditNoId = createRoute({
  getParentRoute: () => main,
  path: '/notes/edit',
  staticData: { title: 'title.noteEdit' },
  component: lazyPage(() => import('../items/edit-page.tsx'), 'EditNotePage'),
})
const linkEditNoId = createRoute({
  getParentRoute: () => main,
  path: '/urllinks/edit',
  staticData: { title: 'title.linkEdit' },
  component: lazyPage(() => import('../items/edit-page.tsx'), 'EditLinkPage'),
})
const tagEditNoId = createRoute({
  getParentRoute: () => main,
  path: '/tags/edit',
  staticData: { title: 'title.tagEdit' },
  component: lazyPage(() => import('../tags/edit-tag-page.tsx'), 'EditTagPage'),
})

/** The public screens: a card in the middle. */
const authLayout = createRoute({
  getParentRoute: () => root,
  id: 'auth-layout',
  component: lazyPage(() => import('./auth-layout.tsx'), 'AuthLayout'),
})
const auth = createRoute({
  getParentRoute: () => authLayout,
  path: '/auth',
  beforeLoad: () => {
    throw redirect({ to: '/auth/login', replace: true })
  },
})
const login = createRoute({
  getParentRoute: () => authLayout,
  path: '/auth/login',
  validateSearch: readLoginSearch,
  staticData: { title: 'title.login' },
  beforeLoad: ({ search }) => {
    if (isSignedIn()) throw redirect({ href: placeAfterLogin(search.redirect), replace: true })
  },
  component: lazyPage(() => import('../accounts/login-page.tsx'), 'LoginPage'),
})
const registration = createRoute({
  getParentRoute: () => authLayout,
  path: '/auth/registration',
  staticData: { title: 'title.registration' },
  component: lazyPage(() => import('../accounts/registration-page.tsx'), 'RegistrationPage'),
})
const passwordReset = createRoute({
  getParentRoute: () => authLayout,
  path: '/auth/password-reset',
  staticData: { title: 'title.passwordReset' },
  component: lazyPage(() => import('../accounts/password-reset-page.tsx'), 'PasswordResetPage'),
})
const passwordConfirm = createRoute({
  getParentRoute: () => authLayout,
  path: '/auth/password-confirm',
  validateSearch: readPasswordConfirmSearch,
  staticData: { title: 'title.passwordConfirm' },
  component: lazyPage(() => import('../accounts/password-confirm-page.tsx'), 'PasswordConfirmPage'),
})

/** What anyone may read: as wide as reading wants it. */
const documentLayout = createRoute({
  getParentRoute: () => root,
  id: 'document-layout',
  component: lazyPage(() => import('./document-layout.tsx'), 'DocumentLayout'),
})
const privacy = createRoute({
  getParentRoute: () => documentLayout,
  path: '/privacy',
  staticData: { title: 'title.privacy' },
  component: lazyPage(() => import('../privacy/privacy-page.tsx'), 'PrivacyPage'),
})

const unknown = createRoute({
  getParentRoute: () => root,
  path: '$',
  beforeLoad: ({ location }) => {
    // The router matches no empty part: '/notes//edit' means '/notes/edit'.
    const single = location.pathname.replace(/\/{2,}/g, '/')
    throw redirect({ href: single === location.pathname ? '/' : single, replace: true })
  },
})

const routeTree = root.addChildren([
  main.addChildren([
    ...[index, home, profile, notes, noteAdd, note, noteEdit],
    ...[links, linkAdd, link, linkEdit, tags, tag, tagEdit],
    ...[noteEditNoId, linkEditNoId, tagEditNoId],
  ]),
  authLayout.addChildren([auth, login, registration, passwordReset, passwordConfirm]),
  documentLayout.addChildren([privacy]),
  unknown,
])

/** The route table of the specification, section 2; read it top to bottom. */
export const createAppRouter = (queryClient: QueryClient) =>
  createRouter({
    routeTree,
    context: { queryClient },
    parseSearch,
    stringifySearch,
    trailingSlash: 'preserve',
    scrollRestoration: true,
    defaultPreload: 'intent',
    defaultErrorComponent: CrashPage,
    defaultPendingMs: 300,
  })

export type AppRouter = RegisteredRouter

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
  interface StaticDataRouteOption {
    /** What the document is called while the screen shows. */
    title?: MessageId
  }
}
