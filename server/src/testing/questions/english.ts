import type { Topic } from './topic.ts'

/** The same in English. */
export const ENGLISH: readonly Topic[] = [
  {
    title: 'The Harrow Bay observatory',
    paragraphs: [
      [
        'The observatory at Harrow Bay was paid for by Edith Carmody, a widow who had made her fortune in tinned sardines. She laid the cornerstone herself in 1903 and asked only that the dome be painted green.',
        'who gave the money to build the observatory?',
      ],
      [
        'Its main instrument is a refractor with a lens of sixty centimetres, ground in Dublin over three years. Two earlier blanks had cracked while cooling, and the maker nearly went bankrupt.',
        'Why did the maker of the lens almost go bankrupt?',
      ],
      [
        'In 1931 the assistant Ruth Okafor photographed a faint comet on eleven nights running. Her plates proved that its period was seventy years, not fifty, as textbooks claimed.',
        'How long is the period of the comet that the assistant photographed?',
      ],
      [
        'City lights ended serious work there in the seventies. The telescope was not sold: schools book it on clear Fridays, and volunteers explain the Moon to children.',
        'when can schools book the telescope',
      ],
      [
        'The basement still holds a pendulum clock that loses one second in four months. Pigeons once stopped it by nesting in the weight shaft, which now has a wire door.',
        'what stopped the pendulum clock?',
      ],
    ],
  },
  {
    title: 'Migrating to the new database',
    paragraphs: [
      [
        'We moved the orders table first because it changes least during the night. A trigger copied every write to both servers for nine days, and a checksum job compared them hourly.',
        'how did we keep both servers in sync during the move?',
      ],
      [
        'The old collation sorted accents differently, so three reports came out in another order. Nobody noticed until an accountant in Lyon complained about missing customers.',
        'Who complained that customers were missing from reports',
      ],
      [
        'Long transactions blocked the vacuum and the table grew to four times its size. The fix was a statement timeout of thirty seconds for everything except the nightly export.',
        'what statement timeout did we set and why',
      ],
      [
        'Rolling back took eleven minutes, because the switch was a single line in the proxy configuration. We rehearsed it twice with real traffic before anyone touched production.',
        'How long does it take to roll back?',
      ],
      [
        'Connection pooling in transaction mode broke prepared statements in the billing service. Its driver had to be told to stop caching plans by name.',
        'Why did prepared statements break in billing?',
      ],
    ],
  },
  {
    title: 'Allotment diary',
    paragraphs: [
      [
        'Broad beans went in on the second of November under fleece. Mice dug up half the row, so next year the seeds will be soaked in paraffin as my grandfather did.',
        'what will stop mice from digging up the beans?',
      ],
      [
        'The compost reached sixty-four degrees after I added coffee grounds from the bakery. Turning it every fifth day keeps the heat and kills the seeds of weeds.',
        'How often should I turn the compost to keep it hot?',
      ],
      [
        'Blight took the maincrop potatoes in a single week of warm rain. The variety Sarpo Mira stood untouched beside them and kept until April.',
        'which potato variety survived blight',
      ],
      [
        'A slow-worm lives beneath the slate by the water butt. It eats slugs, so the slate stays where it is and nobody strims there.',
        'Where does the slow-worm live and what does it eat?',
      ],
      [
        'The committee fined plot nine for using glyphosate near the hives. Vinegar and boiling water are allowed on paths, nothing else.',
        'what is allowed for killing weeds on the paths',
      ],
    ],
  },
  {
    title: 'Captain Arbuthnot',
    paragraphs: [
      [
        'Born to a blacksmith in Leith, Arbuthnot ran away to sea at twelve with a loaf and a stolen compass. He returned the compass by post nineteen years later.',
        'what did the captain steal when he ran away to sea?',
      ],
      [
        'He taught himself navigation from a mildewed almanac and passed the examination with the highest mark of his year. The examiner accused him of cheating and made him sit it twice.',
        'why did he sit the navigation exam twice',
      ],
      [
        'On the voyage of 1849 his ship carried seven hundred emigrants and no surgeon. Fresh limes and a rule of daily washing kept the deaths to four.',
        'How were deaths kept low on the emigrant ship?',
      ],
      [
        'His quarrel with the Admiralty concerned lifeboats: he wanted a seat for every soul aboard. The regulation passed only sixty years after his funeral.',
        'what did he quarrel about with the Admiralty',
      ],
      [
        'He retired to a cottage without a view of the water. Asked about it, he said that he had already seen it.',
        'Why did his retirement cottage have no sea view?',
      ],
    ],
  },
]
