/** One kind of pet that the store sells, and its category. */
export type Species = {
  category: string
  description: string
  /** Its weight among all kinds. */
  share: number
  breeds: readonly string[]
  colours: readonly string[]
  /** The container from which groups are sold, and its capacity; absent where each pet has a name. */
  group?: { kind: string; sizeMax: number }
}

const fur = words(
  'black, white, brown, grey, cream, ginger, spotted, silver, fawn, black and white',
)
const feathers = words('green, blue, yellow, white, grey, pied, red, lutino, turquoise, cinnamon')
const scales = words('green, brown, albino, striped, spotted, olive, sand-coloured, black')
const fins = words('red, blue, gold, silver, black, white, orange, calico')

/** The kinds that the store sells. A change here changes the data of every seed. */
export const speciesSold: readonly Species[] = [
  {
    category: 'Dogs',
    description: 'Companions for walks in every weather. All are chipped and vaccinated.',
    share: 12,
    breeds: words(
      'Labrador, beagle, poodle, dachshund, border collie, boxer, whippet, golden retriever, terrier, corgi, husky, spaniel, sheepdog, schnauzer, pug',
    ),
    colours: fur,
  },
  {
    category: 'Cats',
    description: 'House cats and pedigree cats, neutered, used to people.',
    share: 13,
    breeds: words(
      'shorthair, Siamese, Persian, Maine Coon, Bengal, ragdoll, Burmese, Birman, sphynx, tabby, Abyssinian, Norwegian forest cat',
    ),
    colours: fur,
  },
  {
    category: 'Rabbits',
    description: 'Given away in pairs wherever possible.',
    share: 6,
    breeds: words('lop, lionhead, Dutch rabbit, rex rabbit, Angora, dwarf rabbit, Flemish giant'),
    colours: fur,
  },
  {
    category: 'Guinea pigs',
    description: 'Talkative, and never happy alone.',
    share: 5,
    breeds: words(
      'Peruvian guinea pig, Sheltie guinea pig, teddy guinea pig, rosette guinea pig, Texel guinea pig, crested guinea pig',
    ),
    colours: fur,
  },
  {
    category: 'Hamsters',
    description: 'Awake when you are asleep. One to a cage.',
    share: 4,
    breeds: words('golden hamster, dwarf hamster, Roborovski, Campbell hamster, Chinese hamster'),
    colours: fur,
  },
  {
    category: 'Mice',
    description: 'Fancy mice, sold by the litter or one by one.',
    share: 2,
    breeds: words('fancy mouse, spiny mouse, harvest mouse, satin mouse'),
    colours: fur,
    group: { kind: 'litter', sizeMax: 12 },
  },
  {
    category: 'Rats',
    description: 'Clever, clean and fond of company.',
    share: 3,
    breeds: words('hooded rat, dumbo rat, rex rat, Berkshire rat, satin rat'),
    colours: fur,
  },
  {
    category: 'Gerbils',
    description: 'Diggers, who need deep sand and each other.',
    share: 2,
    breeds: words('Mongolian gerbil, fat-tailed gerbil, pallid gerbil'),
    colours: fur,
  },
  {
    category: 'Chinchillas',
    description: 'Softest fur of all; they bathe in dust and live for twenty years.',
    share: 2,
    breeds: words('chinchilla, Angora chinchilla, velvet chinchilla'),
    colours: fur,
  },
  {
    category: 'Ferrets',
    description: 'For people with patience, and nothing breakable on low shelves.',
    share: 2,
    breeds: words('ferret, sable ferret, polecat ferret'),
    colours: fur,
  },
  {
    category: 'Hedgehogs',
    description: 'African pygmy hedgehogs from breeders, never from the wild.',
    share: 1,
    breeds: words('pygmy hedgehog, Algerian hedgehog'),
    colours: fur,
  },
  {
    category: 'Parrots',
    description: 'They may outlive you: ask us before you fall in love.',
    share: 4,
    breeds: words(
      'Timneh parrot, Amazon parrot, macaw, cockatoo, conure, lovebird, Senegal parrot, parrotlet',
    ),
    colours: feathers,
  },
  {
    category: 'Budgerigars',
    description: 'Hand-tame, from our own aviary.',
    share: 5,
    breeds: words('budgerigar, English budgerigar, crested budgerigar'),
    colours: feathers,
  },
  {
    category: 'Canaries',
    description: 'Cocks that sing and hens that listen.',
    share: 3,
    breeds: words('Harz Roller, Gloster, Yorkshire canary, Border canary, lizard canary'),
    colours: feathers,
  },
  {
    category: 'Finches',
    description: 'Small birds for a large aviary.',
    share: 2,
    breeds: words('zebra finch, Gouldian finch, society finch, goldfinch'),
    colours: feathers,
  },
  {
    category: 'Cockatiels',
    description: 'The crest shows the mood.',
    share: 3,
    breeds: words('cockatiel, pearl cockatiel, white-faced cockatiel'),
    colours: feathers,
  },
  {
    category: 'Chickens',
    description: 'Good layers for the garden, three at least.',
    share: 3,
    breeds: words(
      'Sussex hen, Orpington hen, Leghorn hen, silkie, Wyandotte hen, bantam, Brahma hen',
    ),
    colours: fur,
  },
  {
    category: 'Ducks',
    description: 'They keep slugs away, and need a pond.',
    share: 2,
    breeds: words('call duck, runner duck, Pekin duck, Muscovy duck, Aylesbury duck'),
    colours: fur,
  },
  {
    category: 'Tropical fish',
    description: 'For warm fresh water of 24 to 27 °C. Sold from the tank.',
    share: 4,
    breeds: words('neon tetra, guppy, angelfish, molly, platy, swordtail, discus, danio, rasbora'),
    colours: fins,
    group: { kind: 'tank', sizeMax: 200 },
  },
  {
    category: 'Goldfish',
    description: 'For cool water, and never for a bowl.',
    share: 2,
    breeds: words('comet, fantail, oranda, ryukin, shubunkin, lionhead goldfish'),
    colours: fins,
    group: { kind: 'tank', sizeMax: 60 },
  },
  {
    category: 'Koi',
    description: 'For ponds of 10,000 litres and more.',
    share: 1,
    breeds: words('Kohaku, Sanke, Showa, Utsuri, Asagi, butterfly koi'),
    colours: fins,
    group: { kind: 'pond', sizeMax: 30 },
  },
  {
    category: 'Geckos',
    description: 'Bred here, with papers.',
    share: 3,
    breeds: words('leopard gecko, crested gecko, gargoyle gecko, day gecko'),
    colours: scales,
  },
  {
    category: 'Snakes',
    description: 'Harmless kinds alone.',
    share: 2,
    breeds: words('corn snake, king snake, milk snake, ball python, hognose'),
    colours: scales,
  },
  {
    category: 'Lizards',
    description: 'For terrariums with sun, shade and somewhere to hide.',
    share: 2,
    breeds: words('bearded dragon, blue-tongued skink, veiled chameleon, anole'),
    colours: scales,
  },
  {
    category: 'Tortoises',
    description: 'Registered, and older than they look.',
    share: 2,
    breeds: words('Hermann tortoise, Greek tortoise, Russian tortoise, marginated tortoise'),
    colours: scales,
  },
  {
    category: 'Frogs',
    description: 'Loud after rain.',
    share: 2,
    breeds: words('tree frog, dart frog, horned frog, fire-bellied toad'),
    colours: scales,
  },
  {
    category: 'Axolotls',
    description: 'Forever young, in cold and quiet water.',
    share: 1,
    breeds: words('axolotl, melanoid axolotl, leucistic axolotl'),
    colours: scales,
  },
  {
    category: 'Stick insects',
    description: 'Look closely. Sold from the box.',
    share: 1,
    breeds: words('Indian stick insect, spiny stick insect, leaf insect'),
    colours: scales,
    group: { kind: 'box', sizeMax: 40 },
  },
  {
    category: 'Goats',
    description: 'Two or more, and a high fence.',
    share: 1,
    breeds: words('pygmy goat, Saanen, Toggenburg, Boer goat, Angora goat'),
    colours: fur,
  },
  {
    category: 'Ponies',
    description: 'Ridden in, shod and seen by the vet.',
    share: 1,
    breeds: words(
      'Shetland pony, Welsh pony, Connemara pony, Haflinger, fjord horse, Icelandic horse',
    ),
    colours: words('bay, chestnut, black, grey, palomino, dun, piebald, roan'),
  },
]

function words(text: string): string[] {
  return text.split(', ')
}
