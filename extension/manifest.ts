/** Both browsers read the same manifest but for a few lines. */
const COMMON = {
  manifest_version: 3,
  name: '__MSG_name__',
  description: '__MSG_description__',
  default_locale: 'ru',
  icons: {
    16: 'icons/icon-16.png',
    32: 'icons/icon-32.png',
    48: 'icons/icon-48.png',
    128: 'icons/icon-128.png',
  },
  action: { default_popup: 'popup.html', default_title: '__MSG_action__' },
  // The page of the tab is readable only after a press of the button or in a menu (activeTab).
  permissions: ['activeTab', 'contextMenus', 'scripting', 'storage'],
  // The server's own address is asked for when it is set.
  optional_host_permissions: ['https://*/*', 'http://*/*'],
  commands: { _execute_action: { suggested_key: { default: 'Alt+Shift+K' } } },
}

export type Browser = 'chromium' | 'firefox'
export const BROWSERS: readonly Browser[] = ['chromium', 'firefox']

/** The manifest of a browser. */
export const manifestOf = (browser: Browser, version: string) =>
  browser === 'chromium'
    ? {
        ...COMMON,
        version,
        // For light-dark() in the style sheet.
        minimum_chrome_version: '123',
        background: { service_worker: 'background.js', type: 'module' },
      }
    : {
        ...COMMON,
        version,
        background: { scripts: ['background.js'], type: 'module' },
        browser_specific_settings: {
          gecko: {
            id: 'extension@kopilka.invalid',
            // What is saved goes to the user's own server, and nowhere else.
            data_collection_permissions: { required: ['bookmarksInfo', 'websiteContent'] },
            strict_min_version: '140.0',
          },
          gecko_android: { strict_min_version: '142.0' },
        },
      }
