/**
 * Words that carry no meaning of their own, folded, in all their forms: those of questions, pronouns, prepositions,
 * conjunctions, particles, auxiliary verbs. Numerals, names of times and places and other content words are not among them.
 */
const RUSSIAN = `
  кто кого кому кем ком никто никого что чего чему чем ничто ничего ничем нечто нибудь кое таки
  какой какая какое какие какого какому какую каким какою каком каких какими каков какова каково каковы
  который которая которое которые которого которой которому которую которым которою котором которых которыми
  чей чья чье чьи чьего чьей чьему чью чьим чьею чьем чьих чьими
  где куда откуда когда как почему отчего зачем сколько скольких скольким сколькими насколько ли
  я меня мне мной мною ты тебя тебе тобой тобою он она оно они его него ее нее ей ней ему нему им ним ими ними
  их них нем мы нас нам нами вы вас вам вами себя себе собой собою
  мой моя мое мои моего моей моему мою моим моем моих моими твой твоя твое твои твоего твоей твоему твою твоим твоих
  свой своя свое свои своего своей своему свою своим своем своих своими
  наш наша наше наши нашего нашей нашему нашу нашим нашем наших нашими ваш ваша ваше ваши вашего вашей вашему вашу
  этот эта это эти этого этой этому эту этим этою этом этих этими тот та то те того той тому ту тем том тех теми
  такой такая такое такие такого такому такую таким таком таких такими таков такова таковы
  сам сама само сами самого самой самому самим самом самих самими самый самая самое самые самую самым самых самыми
  весь вся все всего всей всему всю всем всех всеми каждый каждая каждое каждые каждого каждой каждому каждую каждым
  иной иная иное иные иного иному иную иною иным ином иных иными любой любая любое любые другой другая другое другие другого другому другую другою другим
  других другими некоторый некоторая некоторое некоторые некоторых
  некоторого некоторой некоторому некоторую некоторым некоторыми ею нею
  и а но да или либо ни не нет если чтобы чтоб хотя хоть пока раз ибо зато однако тоже также причем
  в во на с со к ко у о об обо от ото из изо по под подо над при про для до за перед передо без безо через сквозь
  между среди около возле вокруг после кроме вместо ради благодаря согласно против насчет ввиду вследствие путем
  же бы б ведь вот вон лишь только даже именно уже еще уж разве неужели пусть пускай бывает
  так там тут здесь туда сюда оттуда отсюда потом затем тогда теперь поэтому потому оттого просто очень более менее
  быть есть был была было были буду будет будут будем будешь будучи бывший
  является являются являлся являлась являлось являлись явиться
  может могут мог могла могло могли можно нужно надо нельзя должен должна должно должны стоит следует
  называется называются назывался называлась называлось назывались зовут звали назвать именуется
  значит означает означают находится находятся находился находилась находилось находились
  состоит состоят имеет имеют имел имела имело имели происходит происходят произошел произошла произошло произошли
  случился случилась случилось случились
`
const ENGLISH = `
  who whom whose what which when where why how whether
  i me my mine we us our ours you your yours he him his she her hers it its they them their theirs
  myself yourself himself herself itself ourselves themselves
  someone somebody something anyone anybody anything everyone everybody everything nobody nothing
  this that these those such same other another each every any some all both either neither no none not nor
  a an the and or but if then else than so as because while although though unless until since
  of in on at to for from by with without within into onto out off over under up down about above below between
  among through during before after against toward towards upon via per like
  am is are was were be been being do does did doing done have has had having
  can could may might must shall should will would ought
  there here just only even also too very more most much many less least few lot
  called named known mean means become became s t d ll m re ve don doesn didn isn aren wasn weren couldn wouldn shouldn hasn haven hadn
`
/** What people write around a question besides. These have other forms, which texts are found by. */
const OF_QUESTIONS = `
  нужен нужна нужны могу можешь можем можете мочь хочу хочет хочется хотел хотела
  делать делаю делает делают делал делала делали сделать
  бывал бывала бывало бывали бывают существует существуют существовал существовала существовало существовали
  пожалуйста подскажи подскажите расскажи расскажите скажи скажите
  никогда иногда оба обе обоих обеих обоим обеим обоими обеими
  никакой никакая никакое никакие никакого никакому никакую никаким никаком никаких никакими никак нигде никуда ниоткуда
  ничей ничья ничье ничьи некто некого некому некем нечего нечему нечем столько настолько сей сего сия сие
  вообще ну всегда опять снова почти совсем довольно наверное возможно конечно словно будто дабы
  стать стал стала стало стану станет станут становится становятся
  please tell need needs needed want wants
  whoever whomever whatever whichever whenever wherever however ain mustn needn shan cannot
  ever always often again still yet now therefore thus hence near behind across along around beyond except despite till
  get gets got getting gotten make makes made making use uses used using let lets
`
const listed = (words: string): string[] => words.trim().replaceAll('ё', 'е').split(/\s+/)

const FUNCTION_WORDS: ReadonlySet<string> = new Set([...listed(RUSSIAN), ...listed(ENGLISH)])
const STOP_WORDS: ReadonlySet<string> = new Set([...FUNCTION_WORDS, ...listed(OF_QUESTIONS)])
const LETTER = /^\p{L}$/u

/** Whether a folded word has no other stems than its own: a change of these lists asks for another ANALYSER (search/terms.ts). */
export const isFunctionWord = (form: string): boolean => FUNCTION_WORDS.has(form) || LETTER.test(form)

/** Whether a folded word carries no meaning of its own, as in a question: 'кто', 'what', 'the', or a single letter. */
export const isStopWord = (form: string): boolean => STOP_WORDS.has(form) || LETTER.test(form)
