import type { Policy } from './policy-ru.ts'

export const policyEn: Policy = {
  effective: 'Effective 01.01.2025',
  sections: [
    {
      title: 'Introduction',
      blocks: [
        'Копилка is a place to keep notes and links so that you can easily find them again. This page says which data about you come into being along the way, what they are for, who sees them and what you can do about them.',
        'In this document “we” means the owner of the server this page is on: the one who keeps your data and answers for them. By creating an account you agree with what is written here. If you do not agree, please do not use the service. Should the translations differ, the Russian text prevails.',
      ],
    },
    {
      title: 'What we collect',
      blocks: [
        'We collect only what the service cannot work without:',
        [
          'your email address: you sign in with it, and emails for resetting your password go there;',
          'your password: kept encrypted only (as a hash that cannot be reversed), so that not even we can read it;',
          'your first and last name: only if you gave them; you can change them in your profile at any time;',
          'what you save yourself: notes, links, descriptions, pictures and categories. Location, camera details and other hidden metadata are removed from pictures;',
          'usage and technical data: the time of requests, which parts of the service were asked for, with what result and how fast, when you signed in. By your IP address we hold back requests that come too often and the guessing of passwords; by a random mark in a cookie we recognise a browser you have signed in from before;',
          'where you gave a program an access token yourself: its name and expiry, when and from which IP address it was last used.',
        ],
        'We do not collect your location, do not build advertising profiles and do not use analytics by third parties.',
      ],
    },
    {
      title: 'How we use the data',
      blocks: [
        'We need the data in order to:',
        [
          'recognise you when you sign in and show your notes and links to you and to nobody else;',
          'search what you have saved when you ask for it;',
          'send emails you have asked for, such as those for resetting your password;',
          'keep the service in order: find faults and ward off abuse;',
          'answer your questions.',
        ],
        'What you save is not read by people and not used for advertising or for training programs.',
      ],
    },
    {
      title: 'Whom we disclose data to',
      blocks: [
        'We neither sell nor rent out your data. Others learn of them in three cases only:',
        [
          'those who help us run the service, namely the provider of the server and the mail service, and only as far as their work requires;',
          'public authorities, where the law expressly demands it;',
          'with your separate consent.',
        ],
        'When you save an address in one gesture or from another program, ask to fill in a link from its address, or to read the pages of links during an import, our server asks for that page: its owner learns the address of the server, not yours. A program to which you gave an access token sees and changes what that token allows; what it does with the data then is up to its authors.',
      ],
    },
    {
      title: 'How we protect the data',
      blocks: [
        'Passwords are kept as argon2id hashes, and so are the keys of your sign-ins and access tokens, as hashes only. Every access to data checks that they are yours. What you save is cleaned of dangerous code before a browser shows it. A change of your password ends all other sign-ins at once, a reset ends every one of them and the access tokens too; a change leaves the tokens, which you can revoke in your profile.',
        'Nobody is perfectly safe. Choose a long password that you use nowhere else, and tell it to nobody. If we learn of a leak that concerns you, we will tell you without delay.',
      ],
    },
    {
      title: 'How long we keep the data',
      blocks: [
        'Your account and all you have saved are kept as long as you use them. A note or link you delete goes to the trash: only you see it there, and you can restore it. It is deleted for ever after a time that is set on the server (30 days as a rule), or sooner if you empty the trash yourself. When you change an item, its earlier text is kept among its earlier versions: the last 100 at most, and for no longer than 90 days. What is needed to undo an action is kept for 30 days. A picture that is in no item, not in the trash and in no earlier version any more is deleted a day later. Deleting for ever removes title, text, address and earlier versions of an item from the database; words that none of your items has any more are deleted from the vocabulary that search corrects misspellings with, too. The categories of a deleted item stay until you delete them as well. Traces of what was deleted may remain in the files of the database until new data take their place; neither the service nor its search sees them any more. A sign-in nobody uses ends after 30 days, a link for resetting the password after one hour, the mark of a browser after one year, an access token when it expires or when you revoke it.',
        'A file that you import from another program is on the server only while it is being read. The entries read from it are kept until you decide whether to import them, for 30 days at most; those of an import you decided against are deleted at once. Of what was not imported, up to 10,000 entries of each of your last ten imports are kept for 30 days, to show why. The file of an export is made while your browser downloads it and does not stay on the server; the link to it works for a minute and only once.',
        'You can delete your account yourself: in your profile, under “Data”. From that minute on nobody can sign in to it or read what is in it; notes, links, pictures, categories, the trash and earlier versions are then erased from the database, which takes up to a few minutes. You can also ask us to delete it: write to {email} from the address in your profile. Backups may hold what was deleted until newer ones replace them; they are used for nothing else.',
      ],
    },
    {
      title: 'Your rights',
      blocks: [
        'You have the right to:',
        [
          'access your data and learn which of them we keep: a copy of everything you have saved you can download yourself, in your profile, under “Data”;',
          'have wrong or incomplete data corrected: you can change your name in your profile yourself;',
          'have your data deleted: both anything you saved and the whole account by yourself;',
          'restrict processing, for instance while we check whether data are right;',
          'object to processing if you believe that it harms your interests.',
        ],
        'Write to us from the address in your profile: we will answer within 30 days. If the answer does not satisfy you, you may turn to your data protection authority.',
      ],
    },
    {
      title: 'Cookies and the browser’s storage',
      blocks: [
        'The service sets one cookie, kopilka_browser. It is set when you sign in, stays for a year and is sent with the next sign-in only. It holds a random mark for each account that signed in here: by it we see that you have signed in from this browser before and do not hold you up while somebody else guesses your password. Other sites cannot see it, and it serves no advertising. The server keeps hashes of the marks only.',
        'The storage of your browser (localStorage, IndexedDB and sessionStorage) holds:',
        [
          'the keys of your sign-in, its time, your first and last name and email (so that the service opens without a network too): until you sign out;',
          'drafts of what you have not saved: until you save or discard them, delete the item itself for ever, or another user signs in to this browser. They stay after you sign out, so that nothing you typed is lost, and the service shows them to you alone; but anyone can read them with the tools of the browser itself, so discard them before you sign out on somebody else’s computer. They are kept in IndexedDB, and in localStorage only if the page closes before a draft is written, or IndexedDB is not available;',
          'a copy of all your notes, links and categories and an index to search it (the database kopilka-offline in IndexedDB), so that you can read and search without a network too: until your sign-in ends;',
          'changes made without a network, and their pictures (in the same database): until they are sent or you give them up. If the sign-in ends by itself they stay and wait for you alone: when you sign out, or another user signs in, they are deleted. By which numbers this browser knew items before they were sent is kept for 30 days more;',
          'marks of whose copy it is (offline) and how many changes wait to be sent (waiting): for as long; the moments of the last five sign-ins that were ended in this browser (in the same database): until you clear the storage;',
          'the language you chose and the setting of keyboard shortcuts: until you change them or clear the storage;',
          'a mark that there has been something in the trash (the menu shows the trash by it): until you clear the storage;',
          'a mark that the page was reloaded after a failure: until the page loads the next time;',
          'which draft is open in this tab, how far pages are scrolled, and what you typed but did not save in the profile or in the name of a category (in sessionStorage): until you close the tab.',
        ],
        'So that the service opens without a network, the browser also keeps the files of the page itself (Cache Storage). Nothing of what you keep is in them. The pictures that you have seen last, a hundred at most, lie there too until you sign out.',
        'You can delete all of this, the cookie too, in the settings of your browser at any time: that signs you out and loses drafts you have not saved and changes that were not sent. The browser extension keeps the address of the server and its own access token until you disconnect the server in it, and what has not been sent until it is sent; all of it goes with the extension.',
      ],
    },
    {
      title: 'Links to other sites',
      blocks: [
        'The links you keep lead to sites we do not answer for: they have policies of their own. We open them in a new tab and do not tell them where you came from. Pictures from other sites are not loaded by themselves: in the place of each is a link that names the site, and only if you open it does that site see your IP address. When you ask to keep such a picture, our server fetches it: the site sees the address of the server, not yours.',
      ],
    },
    {
      title: 'Changes to this policy',
      blocks: [
        'We may change this document when the service or the law changes. The new version appears on this page. We send no emails about changes.',
      ],
    },
    {
      title: 'How to reach us',
      blocks: ['Whatever you want to ask about your data or this document, write to us: {email}.'],
    },
  ],
}
