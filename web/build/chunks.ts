/**
 * The chunks of the build by the modules each begins with; a module's imports come along unless an earlier chunk has
 * them. Without this every module shared by two screens is a file of its own: forty files of 1 KB, one after the other,
 * for the first screen. What is listed nowhere (the editor, English, the conflict dialog) is loaded lazily by itself.
 */
const CHUNKS: readonly (readonly [name: string, modules: string])[] = [
  [
    'core',
    'rolldown/runtime|/src/(?:main|app/(?:app|auth-layout|document-layout)|navigation/router-links|forms/use-(?:call-)?form|ui/own-direction)|@mantine/core/esm/(?:core|components/(?:ActionIcon|Alert|Group|Paper|Stack|Text|TextInput|Title))/|/use-uncontrolled/|@tanstack/react-query/',
  ],
  [
    'main',
    '/src/(?:app/main-layout|messages/(?:main-messages|ru-main)|navigation/(?:tag-link|use-tag-anchors)|ui/(?:list-frame|search-field|menu-button|highlight|tag-chip)|selection/(?:select-box|selection\\.ts)|items/(?:item-breadcrumbs|item-tags|updated-at|waiting-mark|page-readings))|/text/src/readable-address|/use-debounced-value/',
  ],
  ['rows', '/src/home/home-page'],
  ['lists', '/src/items/list-page'],
  ['login', '/src/accounts/login-page'],
  [
    'accounts',
    '/src/accounts/(?:registration|password-reset|password-confirm)-page|/src/messages/(?:accounts-messages|ru-accounts)',
  ],
  [
    'dialogs',
    '/src/(?:lib/copy-text|navigation/(?:use-return|confirm-dialog)|forms/(?:unsaved-changes-dialog|stored-values)|ui/(?:not-found|use-page-title|allowed-addresses|remote-image|stored-image)|items/(?:item-failure|delete-item-button|delete-button|no-id))|/ui/html.module|/text/src/(?:task-lists|escape-html|paragraphs|blank-html)|/components/Typography/',
  ],
  ['switch', '/components/(?:Switch/|Radio/|Checkbox/CheckIcon)|/src/ui/radio-choice'],
  ['item', '/src/items/detail-page'],
  ['grid', '/components/SimpleGrid/'],
  ['tag-list', '/src/tags/tag-list-page'],
  ['tags', '/src/tags/[\\w-]+-page'],
  ['popover', '/components/Popover/Popover'],
  ['profile', '/src/accounts/profile-page'],
  ['settings', '/src/navigation/settings-page'],
  ['lazy-messages', '/src/messages/(?:lazy-messages|ru-lazy)'],
  ['history', '/src/(?:api/history-queries|undo/(?!watch-undos)|messages/lazy-messages)'],
  ['menu', '/src/ui/opened-menu|/components/Menu/'],
  ['data-messages', '/src/messages/(?:data-messages|ru-data)'],
  // Of forms and of the field for a link or a note.
  [
    'given',
    '/src/(?:ui/offered-pictures|items/(?:given-content|idempotency-key|page-values|existing-link))|/contract/src/metadata',
  ],
  // Of imports and of pictures.
  ['upload', '/src/api/upload'],
  ['overlays', '/src/app/(?:quick-add|palette|help-dialog|side-drawer|actions-menu)'],
  ['item-form', '/src/items/(?:add|edit)-page'],
  ['programs', '/src/programs/programs-page|/src/messages/programs-messages'],
  // With all of TipTap, which pictures on their way import from it.
  ['rich-text-editor', '/src/ui/rich-text-editor'],
  // After the forms, which would load all of it for the field of tags.
  ['data', '/src/data/data-page'],
  ['bulk', '/contract/src/bulk'],
  ['html-to-text', '/text/src/html-to-text'],
  // What works without a network, but for its search.
  ['offline', '/src/offline/(?!search/)|/node_modules/idb/|/src/messages/(?:offline-messages|ru-offline)'],
]

/** `codeSplitting` of the bundler: earlier chunks take what they need first. */
export const codeSplitting = {
  groups: CHUNKS.map(([name, modules], at) => ({
    name,
    test: new RegExp(modules),
    priority: CHUNKS.length - at,
  })),
}
