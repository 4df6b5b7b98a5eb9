/** English verbs and nouns whose forms get other stems from Snowball. The first form has the stem of all unlisted ones. */
export const ENGLISH_FORMS = `
  arise arose arisen | awake awoke awoken | beat beaten | become became | begin began begun | bend bent | blow blew blown
  break broke broken | bring brought | build built | burn burnt | buy bought | catch caught | choose chose chosen | come came
  creep crept | deal dealt | dig dug | draw drew drawn | dream dreamt | drink drank drunk | drive drove driven | eat ate eaten
  fall fell fallen | feed fed | feel felt | fight fought | find found | flee fled | fly flew flown | forbid forbade forbidden
  forget forgot forgotten | forgive forgave forgiven | freeze froze frozen | get got gotten | give gave given | go went gone
  grow grew grown | hang hung | hear heard | hide hid hidden | hold held | keep kept | know knew known | lay laid
  learn learnt | leave left | lend lent | lose lost | make made | mean meant | meet met | overcome overcame | pay paid
  ride rode ridden | ring rang rung | rise rose risen | run ran | say said | see saw seen | seek sought | sell sold | send sent
  sew sewn | shake shook shaken | shine shone | shoot shot | show shown | shrink shrank shrunk | sing sang sung | sink sank sunk
  sit sat | sleep slept | slide slid | speak spoke spoken | spend spent | spin spun | stand stood | steal stole stolen
  stick stuck | sting stung | strike struck | swear swore sworn | sweep swept | swim swam swum | swing swung | take took taken
  teach taught | tear tore torn | tell told | think thought | throw threw thrown | understand understood | wake woke woken
  wear wore worn | weave wove woven | weep wept | win won | withdraw withdrew withdrawn | write wrote written | rewrite rewrote rewritten
  child children | foot feet | goose geese | man men | woman women | mouse mice | ox oxen | person people | tooth teeth
  half halves | knife knives | leaf leaves | life lives | loaf loaves | shelf shelves | thief thieves | wife wives | wolf wolves
  analysis analyses | crisis crises | hypothesis hypotheses | thesis theses | criterion criteria | phenomenon phenomena
`
  .trim()
  .split(/\s*[|\n]\s*/)
  .map((line) => line.split(' '))
