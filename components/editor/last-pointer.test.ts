import { expect, it } from "vitest";
import { followPointer } from "./last-pointer";

const said = (name: string, fields: object) => Object.assign(new Event(name), fields);
const mouse = (clientX: number, clientY: number) => ({ pointerType: "mouse", clientX, clientY });

it.each([
	["nothing moved", [], null],
	["it moved", [said("pointermove", mouse(3, 4)), said("pointermove", mouse(5, 6))], { x: 5, y: 6 }],
	["the page moved under it", [said("pointerover", mouse(7, 8))], { x: 7, y: 8 }],
	["it went into another element", [said("pointermove", mouse(3, 4)), said("pointerout", { relatedTarget: {} })], { x: 3, y: 4 }],
	["it left the window", [said("pointermove", mouse(3, 4)), said("pointerout", { relatedTarget: null })], null],
	["a finger", [said("pointermove", mouse(3, 4)), said("pointerdown", { pointerType: "touch", clientX: 1, clientY: 1 })], null],
])("knows where the mouse is: %s", (_name, events, expected) => {
	const target = new EventTarget();
	const { point } = followPointer(target);
	for (const event of events) target.dispatchEvent(event);
	expect(point()).toEqual(expected);
});
