import type { SampleCountry } from "./rules.ts";

/** The streets of a town. Bearings are degrees clockwise from grid north. */
export interface TownStreets {
  /** Runs through the middle of the town. */
  readonly main: { readonly name: string; readonly bearing: number };
  /** Run beside the main street, 200 m apart. */
  readonly parallel: readonly string[];
  /** Cross the main street and its parallels. */
  readonly crossing: readonly string[];
  /** Lead into the town: name, class, bearing seen from the centre. */
  readonly radials: readonly (readonly [name: string, roadClass: string, bearing: number])[];
  /** Lead around the town: name, class, radius in metres. */
  readonly rings: readonly (readonly [name: string, roadClass: string, radius: number])[];
}

const STREETS: Readonly<Record<string, TownStreets>> = {
  Tallinn: {
    main: { name: "Viru tänav", bearing: 70 },
    parallel: ["Pikk tänav", "Kuninga tänav", "Vana-Viru", "Aia tänav"],
    crossing: ["Harju tänav", "Müürivahe tänav", "Suur-Karja", "Sauna tänav", "Uus tänav"],
    radials: [
      ["Narva maantee", "primary", 85],
      ["Tartu maantee", "trunk", 130],
      ["Pärnu maantee", "trunk", 200],
      ["Viljandi maantee", "secondary", 170],
      ["Paldiski maantee", "primary", 255],
      ["Sõpruse puiestee", "secondary", 230],
    ],
    rings: [
      ["Filtri tee", "secondary", 2100],
      ["Järvevana tee", "trunk", 4200],
    ],
  },
  Tartu: {
    main: { name: "Rüütli tänav", bearing: 20 },
    parallel: ["Küütri tänav", "Ülikooli tänav"],
    crossing: ["Raekoja plats", "Gildi tänav", "Poe tänav"],
    radials: [
      ["Narva maantee", "primary", 25],
      ["Riia tänav", "trunk", 215],
      ["Räpina maantee", "secondary", 120],
      ["Viljandi maantee", "primary", 270],
    ],
    rings: [["Idaringtee", "trunk", 2600]],
  },
  Pärnu: {
    main: { name: "Rüütli tänav", bearing: 100 },
    parallel: ["Kuninga tänav", "Hommiku tänav"],
    crossing: ["Nikolai tänav", "Vee tänav", "Hospidali tänav"],
    radials: [
      ["Tallinna maantee", "trunk", 5],
      ["Riia maantee", "trunk", 125],
      ["Haapsalu maantee", "secondary", 320],
    ],
    rings: [["Ehitajate tee", "secondary", 1800]],
  },
  Rīga: {
    main: { name: "Kaļķu iela", bearing: 60 },
    parallel: ["Audēju iela", "Šķūņu iela", "Tirgoņu iela", "Pils iela"],
    crossing: ["Vaļņu iela", "Kalēju iela", "Smilšu iela", "Mārstaļu iela", "Grēcinieku iela"],
    radials: [
      ["Brīvības iela", "trunk", 60],
      ["Latgales iela", "primary", 125],
      ["Bauskas iela", "secondary", 185],
      ["Kārļa Ulmaņa gatve", "motorway", 235],
      ["Kurzemes prospekts", "primary", 285],
      ["Duntes iela", "secondary", 10],
    ],
    rings: [
      ["Raņķa dambis", "secondary", 2200],
      ["Gaujas iela", "primary", 4300],
    ],
  },
  Daugavpils: {
    main: { name: "Rīgas iela", bearing: 40 },
    parallel: ["Saules iela", "Lāčplēša iela"],
    crossing: ["Viestura iela", "Mihoelsa iela", "Teātra iela"],
    radials: [
      ["18. novembra iela", "primary", 75],
      ["Cietokšņa iela", "secondary", 320],
      ["Smilšu iela", "secondary", 20],
    ],
    rings: [["Vidzemes iela", "secondary", 1900]],
  },
  Liepāja: {
    main: { name: "Lielā iela", bearing: 150 },
    parallel: ["Graudu iela", "Kungu iela"],
    crossing: ["Radio iela", "Peldu iela", "Bāriņu iela"],
    radials: [
      ["Brīvības iela", "primary", 70],
      ["Klaipēdas iela", "primary", 165],
      ["Oskara Kalpaka iela", "secondary", 15],
    ],
    rings: [["Cukura iela", "secondary", 1700]],
  },
  Oslo: {
    main: { name: "Karl Johans gate", bearing: 300 },
    parallel: ["Kristian IVs gate", "Stortingsgata", "Grensen", "Rådhusgata"],
    crossing: ["Akersgata", "Rosenkrantz' gate", "Universitetsgata", "Nedre Slottsgate", "Kongens gate"],
    radials: [
      ["E18 Drammensveien", "motorway", 255],
      ["E6 Trondheimsveien", "motorway", 50],
      ["E6 Mosseveien", "motorway", 165],
      ["Maridalsveien", "secondary", 0],
      ["Sørkedalsveien", "primary", 310],
      ["Østensjøveien", "secondary", 105],
    ],
    rings: [
      ["Ring 2", "primary", 2000],
      ["Ring 3", "trunk", 3900],
    ],
  },
  Bergen: {
    main: { name: "Bryggen", bearing: 310 },
    parallel: ["Øvregaten", "Vetrlidsallmenningen"],
    crossing: ["Nikolaikirkeallmenningen", "Bradbenken", "Torget"],
    radials: [
      ["E39 Åsaneveien", "motorway", 10],
      ["Fjøsangerveien", "primary", 175],
      ["Natlandsveien", "secondary", 150],
    ],
    rings: [["Ringvei vest", "trunk", 2700]],
  },
  Trondheim: {
    main: { name: "Munkegata", bearing: 5 },
    parallel: ["Prinsens gate", "Nordre gate"],
    crossing: ["Kongens gate", "Dronningens gate", "Olav Tryggvasons gate"],
    radials: [
      ["Innherredsveien", "primary", 80],
      ["Elgeseter gate", "primary", 185],
      ["Byåsveien", "secondary", 235],
    ],
    rings: [["E6 Omkjøringsvegen", "motorway", 3000]],
  },
};

/** Names that many towns of a country have: the main street, and the one that crosses it. */
const USUAL: Readonly<Record<SampleCountry["code"], readonly [main: string, crossing: string]>> = {
  EST: ["Pikk tänav", "Kesk tänav"],
  LAT: ["Rīgas iela", "Brīvības iela"],
  NOR: ["Storgata", "Kirkegata"],
};

/** Returns the streets of a town: those of the nine largest towns by name, else two that cross. */
export function streetsOf(country: SampleCountry["code"], name: string, code: number): TownStreets {
  const [main, crossing] = USUAL[country];
  return STREETS[name] ?? { main: { name: main, bearing: (code * 47) % 180 }, parallel: [], crossing: [crossing], radials: [], rings: [] };
}
