/**
 * Russian verbs whose forms get other stems from Snowball than their infinitives. An entry is an infinitive without a prefix,
 * and behind it the beginnings of its forms, which endings follow.
 */
const linesOf = (table: string): (readonly [infinitive: string, beginnings: readonly string[]])[] =>
  table
    .trim()
    .split(/\s*[|\n]\s*/)
    .map((line) => line.split(' '))
    .map(([infinitive = '', ...beginnings]) => [infinitive, beginnings])

/** Present and imperative of the first conjugation: 'пишу', 'пишешь'. */
const FIRST = `
  писать пиш | казать каж | сказать скаж | вязать вяж | резать реж | мазать маж | лизать лиж | искать ищ | плескать плещ | полоскать полощ
  плакать плач | прятать пряч | шептать шепч | хохотать хохоч | топтать топч | хлопотать хлопоч | бормотать бормоч
  скакать скач | махать маш | пахать паш | чесать чеш | тесать теш | плясать пляш | дремать дремл | сыпать сыпл
  трепать трепл | колебать колебл | щипать щипл | ехать ед | брать бер | драть дер | звать зов | рвать рв | ждать жд
  жать жм жн | врать вр | лгать лг лж | ткать тк | слать шл | стлать стел | жить жив | плыть плыв | петь по | мыть мо
  крыть кро | рыть ро | выть во | ныть но | пить пь | бить бь | шить шь | лить ль | вить вь | стать стан | деть ден
  сесть сяд | лечь ляг ляж | расти раст | цвести цвет | мести мет | плести плет | вести вед | нести нес | везти вез
  ползти полз | лезть лез | трясти тряс | спасти спас | пасти пас | грести греб | скрести скреб | красть крад | класть клад
  пасть пад | идти ид | йти йд | прийти прид | печь пек печ | течь тек теч | беречь берег береж | стеречь стерег стереж
  стричь стриг стриж | жечь жг жж | сечь сек сеч | влечь влек влеч | мочь мог мож | чать чн | мять мн | нять ним йм
  взять возьм | принять прим | умереть умр | тереть тр | переть пр | молоть мел | колоть кол | бороть бор | полоть пол
  сеять се | веять ве | лаять ла | таять та | каять ка | надеять наде | смеять сме | затеять зате | жевать жу | ковать ку
  клевать клю | плевать плю | совать су | брить бре | гнить гни | дуть ду | обуть обу | быть буд | бежать бег | хотеть хоч
  ошибить ошиб | давать да | ставать ста | знавать зна
`
/** The same of the second: 'видишь', 'видит'; then the beginning of 'вижу' where that is another. */
const SECOND = `
  видеть вид виж | смотреть смотр | сидеть сид сиж | лететь лет леч | висеть вис виш | гореть гор | терпеть терп
  вертеть верт верч | кипеть кип | храпеть храп | шуметь шум | греметь грем | свистеть свист свищ | блестеть блест блещ
  велеть вел | обидеть обид обиж | зависеть завис завиш | ненавидеть ненавид ненавиж | глядеть гляд гляж | звенеть звен
  скрипеть скрип | хрипеть хрип | шипеть шип | болеть бол | стоять сто | боять бо | гнать гон | спать сп спл | держать держ держ
  лежать леж леж | молчать молч молч | кричать крич крич | слышать слыш слыш | дышать дыш дыш | стучать стуч стуч
  звучать звуч звуч | торчать торч торч | мчать мч мч | дрожать дрож дрож | бежать беж | рычать рыч рыч | хотеть хот
  дать дад
  ходить ход хож | водить вод вож | возить воз вож | носить нос нош | просить прос прош | бросить брос брош
  платить плат плач | катить кат кач | крутить крут круч | шутить шут шуч | мутить мут муч | портить порт порч
  встретить встрет встреч | ответить ответ отвеч | заметить замет замеч | отметить отмет отмеч | посетить посет посещ
  запретить запрет запрещ | защитить защит защищ | сократить сократ сокращ | обратить обрат обращ
  превратить преврат превращ | возвратить возврат возвращ | хватить хват хвач | тратить трат трач | чистить чист чищ
  пустить пуст пущ | простить прост прощ | гостить гост гощ | растить раст ращ | грустить груст грущ | мстить мст мщ
  садить сад саж | судить суд суж | будить буд буж | ездить езд езж | гладить глад глаж | следить след слеж
  родить род рож | рядить ряд ряж | бродить брод брож | городить город горож | грозить гроз грож
  тормозить тормоз тормож | морозить мороз морож | изобразить изобраз изображ | выразить выраз выраж
  заразить зараз зараж | сообразить сообраз соображ | снизить сниз сниж | красить крас краш | гасить гас гаш
  месить мес меш | весить вес веш | косить кос кош | квасить квас кваш | повысить повыс повыш
  пригласить приглас приглаш | согласить соглас соглаш | вредить вред вреж | цедить цед цеж | ладить лад лаж
`
/** Past without the vowel of the infinitive: 'нес', 'несла'. */
const PAST = `
  нести нес | везти вез | ползти полз | лезть лез | трясти тряс | спасти спас | пасти пас | грести греб | скрести скреб
  расти рос | печь пек | течь тек | беречь берег | стеречь стерег | стричь стриг | жечь жег жг | сечь сек | влечь влек
  мочь мог | лечь лег | достичь достиг | умереть умер | тереть тер | переть пер | мерзнуть мерз | сохнуть сох | гаснуть гас
  гибнуть гиб | выкнуть вык | никнуть ник | исчезнуть исчез | слепнуть слеп | крепнуть креп | мокнуть мок | липнуть лип
  вергнуть верг | ошибить ошиб
`
/** Past in which a consonant of the infinitive is lost: 'вел', 'вела'. */
const PAST_IN_L = `
  вести ве | цвести цве | мести ме | плести пле | сесть се | красть кра | класть кла | пасть па | есть е | идти ше ш | йти ше ш
`
/** Forms that no rule gives. */
const FORMS = `
  дать дам дашь даст дадут | есть ем ешь ест едим едите едят | хотеть хотят
`

/** What follows a beginning of each table. */
const ENDINGS = {
  first: ['у', 'ю', 'ешь', 'ет', 'ем', 'ете', 'ут', 'ют', 'и', 'ите', 'й', 'йте', 'ь', 'ьте'],
  second: ['ю', 'ишь', 'ит', 'им', 'ите', 'ат', 'ят', 'и'],
  firstPerson: ['у', 'ю'],
  past: ['', 'ла', 'ло', 'ли'],
  pastInL: ['л', 'ла', 'ло', 'ли', 'в'],
  whole: [''],
} as const
const LONGEST_ENDING = 3

const PREFIXES: ReadonlySet<string> = new Set([
  '',
  ...'в во вз взо воз вс вос вы до за из изо ис на над надо не недо о об обо от ото пере по под подо'.split(
    ' ',
  ),
  ...'пре пред при про раз разо рас с со у въ объ отъ подъ разъ съ'.split(' '),
])
const LONGEST_PREFIX = 4
/** Prefixes that gain or lose a vowel before some verbs: 'подберу' and 'подобрать', 'соберу' and 'собрать', 'разобью' and 'разбить'. */
const WITHOUT_VOWEL = /^(?:в|вз|из|над|об|от|под|раз|с)$/
const WITH_VOWEL = /^(?:в|вз|из|над|об|от|под|раз|с)о$/
/** The beginnings before which they do. */
const MOVES_VOWEL = /^(?:[бвгджзклмнпрстфхцчш]{2}|[бвлпш]ь)/
/** Verbs that hardly occur without a prefix, whose forms without one are other words: 'дело', 'при', 'три', 'полет'. */
const NOT_ALONE: ReadonlySet<string> = new Set(['деть', 'есть', 'переть', 'тереть', 'полоть'])
/** Verbs that are reflexive alone, whose forms without -ся are other words: 'бои', 'смей'. */
const REFLEXIVE: ReadonlySet<string> = new Set(['боять', 'смеять', 'ошибить'])
/** Before such a vowel a prefix that ends in a consonant has a hard sign: 'вел' is no form of 'есть'. */
const [WITH_CONSONANT, IN_VOWEL] = [/[бвдзст]$/, /^[ея]/]

interface Beginning {
  readonly infinitive: string
  readonly endings: readonly string[]
}

const BEGINNINGS: ReadonlyMap<string, readonly Beginning[]> = Map.groupBy(
  listBeginnings(),
  ({ beginning }) => beginning,
)

function* listBeginnings(): Generator<Beginning & { readonly beginning: string }> {
  const infinitives = new Set(['знать'])
  for (const [table, endings] of [
    [FIRST, ENDINGS.first],
    [PAST, ENDINGS.past],
    [PAST_IN_L, ENDINGS.pastInL],
    [FORMS, ENDINGS.whole],
  ] as const)
    for (const [infinitive, beginnings] of linesOf(table)) {
      infinitives.add(infinitive)
      for (const beginning of beginnings) yield { infinitive, beginning, endings }
    }
  for (const [infinitive, [beginning = '', ofFirstPerson]] of linesOf(SECOND)) {
    infinitives.add(infinitive)
    yield { infinitive, beginning, endings: ENDINGS.second }
    if (ofFirstPerson) yield { infinitive, beginning: ofFirstPerson, endings: ENDINGS.firstPerson }
  }
  for (const infinitive of infinitives) {
    yield { infinitive, beginning: infinitive, endings: ENDINGS.whole }
    if (/[аеиоуыя]ть$/.test(infinitive))
      yield { infinitive, beginning: infinitive.slice(0, -2), endings: ENDINGS.pastInL }
  }
}

/** Frequent words that look like forms of a verb: 'дождь' like one of 'дождаться', 'кабинет' like one in -нуть. */
const NO_VERBS: ReadonlySet<string> = new Set(
  'дождь дожди дождю дождем стек стеку стеки стекло стекла помню помни помните кабинет кабинете планет планете минут сонет кровлю кремлю'.split(
    ' ',
  ),
)

/** Whether a folded word is none of a verb although it looks like one. */
export const isNoVerb = (form: string): boolean => NO_VERBS.has(form)

/** The infinitives, without -ся, of which a folded word may be a form: most often none. */
export function infinitivesOf(form: string): Set<string> {
  const found = new Set<string>()
  if (isNoVerb(form)) return found
  for (const word of new Set([form, form.replace(/с[яь]$/, '')]))
    for (let ending = 0; ending <= LONGEST_ENDING && ending < word.length; ending += 1) {
      const head = word.slice(0, word.length - ending)
      for (let at = 0; at <= LONGEST_PREFIX && at < head.length; at += 1) {
        const [prefix, beginning] = [head.slice(0, at), head.slice(at)]
        if (PREFIXES.has(prefix))
          addInfinitives(found, {
            prefix,
            beginning,
            ending: word.slice(head.length),
            isReflexive: word !== form,
          })
      }
    }
  return found
}

interface Parts {
  readonly prefix: string
  readonly beginning: string
  readonly ending: string
  readonly isReflexive: boolean
}

function addInfinitives(found: Set<string>, { prefix, beginning, ending, isReflexive }: Parts): void {
  for (const { infinitive, endings } of BEGINNINGS.get(beginning) ?? []) {
    if (!endings.includes(ending) || (prefix === '' && NOT_ALONE.has(infinitive))) continue
    if (REFLEXIVE.has(infinitive) && !isReflexive) continue
    if (WITH_CONSONANT.test(prefix) && IN_VOWEL.test(infinitive)) continue
    found.add(prefix + infinitive)
    if (!MOVES_VOWEL.test(beginning) && !MOVES_VOWEL.test(infinitive)) continue
    if (WITHOUT_VOWEL.test(prefix)) found.add(`${prefix}о${infinitive}`)
    if (WITH_VOWEL.test(prefix)) found.add(prefix.slice(0, -1) + infinitive)
  }
}
